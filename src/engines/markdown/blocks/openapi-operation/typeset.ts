// An operation, or another part of an API description, on paper.
import { type WriteBlock, writeBox } from '../../typeset/typesetting.ts'

export const operation: WriteBlock<'operation'> = (_, node, writing) => writeBox('operation', node, writing)
