// A file to download, as it is inserted.
export const file = '{% file src="#{.gitbook/assets/file.pdf}" %}'
