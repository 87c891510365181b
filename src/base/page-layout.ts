/** How a page is laid out, as its frontmatter says and its record keeps it; an absent member has its default. */
export type PageLayout = {
  readonly width?: 'default' | 'wide'
  readonly cover?: boolean
  readonly coverSize?: 'hero' | 'full'
  readonly title?: boolean
  readonly description?: boolean
  readonly tableOfContents?: boolean
  readonly outline?: boolean
  readonly pagination?: boolean
  readonly metadata?: boolean
}
