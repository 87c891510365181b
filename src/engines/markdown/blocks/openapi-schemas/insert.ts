// Schemas of an API description, as they are inserted.
export const schemas = '{% openapi-schemas spec="#{1}" schemas="#{2}" %}\n{% endopenapi-schemas %}'
