// What can be quoted from some sections of a page.
import { type QuotedSection, quotations } from '../engines/markdown/excerpt/excerpt.ts'
import type { Task } from './task.ts'

export const pageQuotations: Task<
  { readonly markdown: string; readonly ordinals: readonly number[] },
  readonly QuotedSection[]
> = ({ markdown, ordinals }) => quotations(markdown, new Set(ordinals))
