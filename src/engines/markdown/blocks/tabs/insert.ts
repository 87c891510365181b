// Two tabs, and another one, as they are inserted.
export const tab = '{% tab title="#{}" %}\n#{}\n{% endtab %}'
export const tabs = `{% tabs %}\n${tab}\n\n${tab}\n{% endtabs %}`
