// A picture, alone and with words below it, as it is inserted. What it shows is asked for first.
export const image = '![#{1}](#{2:.gitbook/assets/image.png})'
export const figure =
  '<figure><img src="#{2:.gitbook/assets/image.png}" alt="#{1}"><figcaption>#{3}</figcaption></figure>'
