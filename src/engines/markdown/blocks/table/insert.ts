// A table, and cards, as they are inserted.
export const table = '| #{} | #{} |\n| --- | --- |\n| #{} | #{} |'

const row = '<tr><td><strong>#{}</strong></td><td>#{}</td><td><a href="#{page.md}"></a></td></tr>'
export const cards = [
  '<table data-view="cards"><thead><tr><th></th><th></th>',
  '<th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>',
  `\n${row}\n${row}\n`,
  '</tbody></table>',
].join('')
