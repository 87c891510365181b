// What is typed or pasted in code is code.
import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

export function isInCode(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, -1); ; ) {
    if (node.name.includes('Code')) return true
    if (node.parent === null) return false
    node = node.parent
  }
}
