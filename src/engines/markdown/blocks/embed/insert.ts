// Something on the web, as it is inserted.
export const embed = '{% embed url="#{https://}" %}'
