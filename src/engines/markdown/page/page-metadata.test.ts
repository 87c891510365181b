import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseFrontmatter } from '../syntax/syntax.ts'
import { pageMetadata } from './page-metadata.ts'

const read = (yaml: string) => pageMetadata(parseFrontmatter(`---\n${yaml}\n---\n`).data)

describe('page metadata', () => {
  it('is read as GitBook writes it', () => {
    const { metadata, problems } = read(`
title: Setup
description: >-
  How to
  set up
icon: rocket
hidden: true
cover: ../.gitbook/assets/a b.png
coverY: -12.5
coverHeight: 300
noIndex: true
if: visitor.claims.admin
vars:
  version: 1.2
  name: Octavo
layout:
  width: wide
  cover:
    visible: true
    size: hero
  title:
    visible: true
  description:
    visible: false
  tableOfContents:
    visible: true
  outline:
    visible: false
  pagination:
    visible: true
  metadata:
    visible: true`)
    assert.deepEqual(problems, [])
    assert.deepEqual(metadata, {
      title: 'Setup',
      description: 'How to set up',
      icon: 'rocket',
      hidden: true,
      cover: '../.gitbook/assets/a b.png',
      coverY: -12.5,
      coverHeight: 300,
      noIndex: true,
      if: 'visitor.claims.admin',
      vars: { version: 1.2, name: 'Octavo' },
      layout: {
        width: 'wide',
        cover: true,
        coverSize: 'hero',
        title: true,
        description: false,
        tableOfContents: true,
        outline: false,
        pagination: true,
        metadata: true,
      },
    })
  })

  it('takes what people write by hand', () => {
    assert.deepEqual(
      read('title: 2024\nhidden: "true"\nlayout:\n  title: false\nrobots: noindex, nofollow').metadata,
      {
        title: '2024',
        hidden: true,
        layout: { title: false },
        noRobotsIndex: true,
      },
    )
    assert.deepEqual(read('cover:\n  light: a.png\n  dark: b.png').metadata, {
      cover: 'a.png',
      coverDark: 'b.png',
    })
    assert.deepEqual(read('robots: index').metadata, { noRobotsIndex: false })
  })

  it('leaves out what is of another type and names each once', () => {
    const { metadata, problems } = read(
      'title: [a]\nhidden: perhaps\ncoverHeight: 5\ncoverY: high\nlayout:\n  width: huge\n  title: 3\nvars: [a]\nicon:\nunknown: x',
    )
    assert.deepEqual(metadata, { layout: {} })
    assert.deepEqual(problems.map(({ key }) => key).sort(), [
      'coverHeight',
      'coverY',
      'hidden',
      'layout.title',
      'layout.width',
      'title',
      'vars',
    ])
  })

  it('never throws, whatever the data', () => {
    const keys = fc.constantFrom('title', 'cover', 'coverY', 'layout', 'vars', 'robots', 'hidden', 'if')
    fc.assert(
      fc.property(fc.dictionary(keys, fc.anything()), data => void pageMetadata(data)),
      { numRuns: 300 },
    )
  })
})
