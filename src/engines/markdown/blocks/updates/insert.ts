// A changelog, and another entry, as they are inserted.
export const update = '{% update date="#{2030-01-31}" %}\n## #{}\n\n#{}\n{% endupdate %}'
export const updates = `{% updates format="full" %}\n${update}\n{% endupdates %}`
