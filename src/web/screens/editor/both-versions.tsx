// Others wrote the same lines: both texts, side by side, until the writer has chosen what there is to be.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { markdownLanguage } from '@codemirror/lang-markdown'
import { LanguageSupport } from '@codemirror/language'
import { MergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { ContentPlace } from '../../data/pages.ts'
import { useStore } from '../../data/store.ts'
import { comparisonLook } from '../../editor/comparison-look.ts'
import { markdownLook } from '../../editor/markdown-look.ts'
import {
  type FieldName,
  type FieldValue,
  isSameValue,
  valuesOf,
  withValue,
} from '../../editor/page-fields.ts'
import { pageNonce } from '../../editor/page-nonce.ts'
import type { PageWriting } from '../../editor/page-writing.ts'
import { t } from '../../messages/messages.ts'
import { Button } from '../../parts/button.tsx'
import { useHeading } from '../../parts/screen.tsx'

export default function BothVersions({ writing }: { readonly writing: PageWriting }) {
  const heading = useHeading(t('editor.clash'))
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<MergeView | null>(null)
  const [isSameText] = useState(() => {
    const { theirs, mine } = writing.clash ?? {}
    return theirs !== undefined && mine?.eq(theirs)
  })
  useLayoutEffect(() => {
    const { current: parent } = box
    const versions = writing.clash
    if (parent === null || versions === undefined) return
    const { theirs, mine } = versions
    const merge = new MergeView({
      a: { doc: theirs, extensions: [...shown(t('editor.theirs')), EditorState.readOnly.of(true)] },
      b: {
        doc: mine,
        extensions: [
          ...shown(t('editor.mine')),
          history(),
          keymap.of([...historyKeymap, ...defaultKeymap]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) writing.choose(state.doc)
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: () => {
        const button = document.createElement('button')
        button.className = 'take-theirs'
        button.textContent = '→'
        button.setAttribute('aria-label', t('editor.takeTheirs'))
        button.title = t('editor.takeTheirs')
        return button
      },
      collapseUnchanged: { margin: 3, minSize: 6 },
      gutter: true,
      parent,
    })
    view.current = merge
    return () => merge.destroy()
  }, [writing])
  return (
    <section className="both-versions" aria-label={t('editor.clash')}>
      <h1 ref={heading} tabIndex={-1}>
        {t('editor.clash')}
      </h1>
      {!isSameText && <p className="soft">{t('editor.clashText')}</p>}
      <ClashingFields writing={writing} />
      <div hidden={isSameText}>
        <div className="both-heads" aria-hidden="true">
          <span>{t('editor.theirs')}</span>
          <span>{t('editor.mine')}</span>
        </div>
        <div ref={box} />
      </div>
      <div className="row">
        <Button
          look="primary"
          onPress={() => {
            const text = view.current?.b.state.doc
            if (text !== undefined) writing.resolve(text)
          }}
        >
          {t('editor.useMine')}
        </Button>
      </div>
    </section>
  )
}

/** Which value each field is to have. */
function ClashingFields({ writing }: { readonly writing: PageWriting }) {
  const [clashing] = useState(() => writing.clash?.fields ?? [])
  const fields = useStore(writing.fields)
  const place = useStore(writing.place)
  return clashing.map(({ name, theirs, mine }) => (
    <fieldset key={name} className="stack-small">
      <legend>{labelOf(name)}</legend>
      {[
        { id: 'theirs', value: theirs, label: t('editor.theirs') },
        { id: 'mine', value: mine, label: t('editor.mine') },
      ].map(({ id, value, label }) => (
        <label key={id} className="check">
          <input
            type="radio"
            name={name}
            checked={isSameValue(valuesOf(fields)[name], value)}
            onChange={() => writing.change(withValue(fields, name, value))}
          />
          <span>
            <span className="soft">{label}</span> <Value {...{ name, value, place }} />
          </span>
        </label>
      ))}
    </fieldset>
  ))
}

function labelOf(name: FieldName): string {
  switch (name) {
    case 'title':
      return t('editor.pageTitle')
    case 'cover':
      return t('editor.layout.cover')
    case 'layout.width':
      return t('editor.layout.wide')
    case 'layout.coverSize':
      return t('editor.cover.size')
    default:
      return t(`editor.${name}`)
  }
}

const CoverPicture = lazy(() => import('./cover-picture.tsx'))

type ValueProps = { readonly name: FieldName; readonly value: FieldValue; readonly place: ContentPlace }

function Value({ name, value, place }: ValueProps) {
  if (typeof value !== 'object' || value === null) return <bdi>{wordsOf(name, value)}</bdi>
  return (
    <Suspense>
      <CoverPicture cover={value} place={place} />
    </Suspense>
  )
}

function wordsOf(name: FieldName, value: string | boolean | null): string {
  if (value === '' || value === null) return t('editor.none')
  if (name === 'layout.coverSize') return t(value === 'full' ? 'editor.cover.full' : 'editor.cover.hero')
  if (typeof value === 'string' && name !== 'layout.width') return value
  return t(value === true || value === 'wide' ? 'editor.on' : 'editor.off')
}

const shown = (label: string): Extension[] => [
  new LanguageSupport(markdownLanguage),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  markdownLook,
  comparisonLook,
  pageNonce(),
  EditorState.phrases.of({ '$ unchanged lines': t('review.sourceUnchanged') }),
]
