// Content under a condition, on paper.
import { type WriteBlock, writeBox } from '../../typeset/typesetting.ts'

export const condition: WriteBlock<'if'> = (_, node, writing) => writeBox('condition', node, writing)
