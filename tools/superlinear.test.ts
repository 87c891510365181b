import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSuperlinear } from './superlinear.ts'

const judge = ({ source, flags }: RegExp) => findSuperlinear({ source, flags })

test('an expression that can take more than in proportion is found', () => {
  const slow = [
    /\s*\s*$/,
    /(?:a+)+$/,
    /(?:a|a)*b/,
    /^\s+|\s+$/g,
    /^[A-Za-z0-9+/\s]+={0,2}\s*$/,
    /(^|,)\s*gzip\s*(;\s*q=[\d.]+)?\s*(,|$)/i,
    /\d+\d+x/y,
    /<(?![?!])[^>]*>/,
    /x.*?y/g,
    /<!--[\s\S]*?-->/g,
    /<a>(.*?)<\/a>/gs,
    /^```[^\n]*\n[\s\S]*?^```$/m,
    /"(?:[^"\\]|\\.)*"/g,
    /\{\{\s*([^{}\n]{1,1000}?)\s*\}\}/g,
    /\[([^[\]\n]+)\]\(([^)\s]+)\)/g,
    /aba(?:ba)*c/,
  ]
  for (const expression of slow) assert.notEqual(judge(expression), undefined, String(expression))
})

test('one that cannot is not', () => {
  const fast = [
    /^\s+|(?<!\s)\s+$/g,
    /\s+/g,
    /^\s*x/,
    /\d+x/y,
    /<(?![?!])[^<>]*>/,
    /"[^"]*"/g,
    /"(?:[^"\\]|\\.?)*"?/g,
    /^(?:[a-z]{0,61}\.)*$/,
    /\{\{([^{}\n]{1,1000})\}\}/g,
    /^\p{RGI_Emoji}$/v,
    /[^\n]+\n?|\n/g,
  ]
  for (const expression of fast) assert.equal(judge(expression), undefined, String(expression))
})
