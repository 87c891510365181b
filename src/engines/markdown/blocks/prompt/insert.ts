// A prompt, as it is inserted.
export const prompt = '{% prompt description="#{2}" %}\n#{1}\n{% endprompt %}'
