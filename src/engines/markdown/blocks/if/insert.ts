// Content under a condition, as it is inserted.
export const condition = '{% if #{1:visitor.claims} %}\n#{2}\n{% endif %}'
