// A page as its layout takes it; fields that a test is about are given.
import { DEFAULT_LAYOUT, type PageView } from '../../src/site/layout/view.ts'

export const pageView = (fields: Partial<PageView>): PageView => ({
  id: 'p1',
  title: 'Page p1',
  description: null,
  emoji: null,
  icon: null,
  html: '<p>Body</p>',
  outline: [],
  breadcrumbs: [],
  previous: null,
  next: null,
  cover: null,
  layout: DEFAULT_LAYOUT,
  updatedAt: null,
  markdownHref: null,
  canonicalHref: null,
  isUnlisted: false,
  ...fields,
})
