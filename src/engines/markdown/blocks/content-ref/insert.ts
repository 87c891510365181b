// A link as a card, as it is inserted.
export const contentRef =
  '{% content-ref url="#{1:page.md}" %}\n[#{1:page.md}](#{1:page.md})\n{% endcontent-ref %}'
