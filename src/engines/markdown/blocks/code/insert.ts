// Code with a title, as it is inserted.
export const code = '{% code title="#{3}" %}\n```#{2}\n#{1}\n```\n{% endcode %}'
