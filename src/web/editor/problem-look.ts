// How problems look: by shape as well as by colour.
import { EditorView } from '@codemirror/view'

const wavy = (color: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${color}`,
  textDecorationThickness: '1px',
  textUnderlineOffset: '4px',
  textDecorationSkipInk: 'none',
})

export const problemLook = EditorView.theme({
  // It takes no room from the text, which does not move when it comes.
  '.cm-gutters': { marginInlineStart: '-18px', minWidth: '18px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0', display: 'grid', placeItems: 'center start' },
  '.cm-lint-marker': { width: '10px', height: '10px', content: 'none' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '50%', background: 'var(--danger)' },
  '.cm-lint-marker-warning': {
    content: 'none',
    background: 'var(--warning)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-info': {
    content: 'none',
    boxSizing: 'border-box',
    border: '2px solid var(--text-faint)',
    borderRadius: '50%',
  },
  '.cm-lintRange-error': wavy('var(--danger)'),
  '.cm-lintRange-warning': wavy('var(--warning)'),
  '.cm-lintRange-info': wavy('var(--text-faint)'),
  '.cm-lintRange-active': { backgroundColor: 'var(--selected)' },
  '.cm-tooltip-lint': { padding: '0', margin: '0', maxWidth: 'min(420px, 90vw)' },
  '.cm-diagnostic': { display: 'block', overflowWrap: 'anywhere' },
  '.cm-panel.cm-panel-lint': { borderBlockStart: '1px solid var(--line)' },
  '.cm-panel.cm-panel-lint ul': { maxHeight: '160px', padding: '4px 32px 4px 0' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': {
    background: 'var(--selected)',
    color: 'var(--text)',
    textDecoration: 'none',
  },
  '.cm-panel.cm-panel-lint button[name=close]': {
    width: '28px',
    height: '28px',
    insetInlineEnd: '2px',
    color: 'var(--text)',
    fontSize: '18px',
    cursor: 'pointer',
  },
})
