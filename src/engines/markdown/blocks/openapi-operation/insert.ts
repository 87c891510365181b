// An operation of an API description, as it is inserted.
export const operation =
  '{% openapi-operation spec="#{1}" path="#{2:/}" method="#{3:get}" %}\n{% endopenapi-operation %}'
