// A text in which the words of a query are marked.
import { Fragment } from 'react'
import { partsOf } from './marked-words.ts'

export const Marked = ({ text, query }: { readonly text: string; readonly query: string }) =>
  partsOf(text, query).map(({ at, text: part, isMatch }) =>
    isMatch ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>,
  )
