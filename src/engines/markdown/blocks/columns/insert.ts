// Two columns, and another one, as they are inserted.
export const column = '{% column %}\n#{}\n{% endcolumn %}'
export const columns = `{% columns %}\n${column}\n\n${column}\n{% endcolumns %}`
