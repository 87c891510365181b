// Content that several pages share, as it is inserted.
export const include = '{% include "#{.gitbook/includes/content.md}" %}'
