// An entry of a changelog, on paper.
import { type WriteBlock, writeBox } from '../../typeset/typesetting.ts'

export const update: WriteBlock<'update'> = (_, node, writing) => writeBox('update', node, writing)
