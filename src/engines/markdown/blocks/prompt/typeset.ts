// A prompt on paper.
import { type WriteBlock, writeBox } from '../../typeset/typesetting.ts'

export const prompt: WriteBlock<'prompt'> = (_, node, writing) => writeBox('prompt', node, writing)
