// A webhook of an API description, as it is inserted.
export const webhook =
  '{% openapi-webhook spec="#{1}" name="#{2}" method="#{3:post}" %}\n{% endopenapi-webhook %}'
