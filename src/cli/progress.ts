// How long work shows itself: a bar that moves on a terminal, plain lines in a pipe.
import type { WriteStream } from 'node:tty'

export type Progress = { readonly stage: string; readonly done: number; readonly total: number }

export interface ProgressView {
  show(progress: Progress): void
  /** Ends the bar, so that the next output begins on a line of its own. */
  finish(): void
}

const BAR_WIDTH = 24
const FRAME_MS = 80
const LINE_MS = 2000

/** Writes to standard error, so that standard output stays free for the answer. */
export function createProgressView(
  stream: Pick<WriteStream, 'write'> & { isTTY?: boolean },
  nowMs: () => number,
): ProgressView {
  return stream.isTTY === true ? bar(stream, nowMs) : lines(stream, nowMs)
}

function bar(stream: Pick<WriteStream, 'write'>, nowMs: () => number): ProgressView {
  let drawnAt = Number.NEGATIVE_INFINITY
  let last = ''
  let isOpen = false
  const draw = (text: string) => {
    stream.write(`\r\u001b[2K${text}`)
    isOpen = true
  }
  return {
    show(progress) {
      last = toBar(progress)
      if (nowMs() - drawnAt < FRAME_MS) return
      drawnAt = nowMs()
      draw(last)
    },
    finish() {
      if (!isOpen) return
      draw(last)
      stream.write('\n')
      isOpen = false
    },
  }
}

function lines(stream: Pick<WriteStream, 'write'>, nowMs: () => number): ProgressView {
  let stage = ''
  let writtenAt = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      if (progress.stage === stage && nowMs() - writtenAt < LINE_MS) return
      stage = progress.stage
      writtenAt = nowMs()
      stream.write(`${toLine(progress)}\n`)
    },
    finish() {},
  }
}

/** `[████████████░░░░░░░░░░░░] 120/240 reading content` */
function toBar({ stage, done, total }: Progress): string {
  const share = total === 0 ? 0 : Math.min(1, done / total)
  const full = Math.round(share * BAR_WIDTH)
  const counts = total === 0 ? '' : ` ${done}/${total}`
  return `[${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}]${counts} ${stage}`
}

const toLine = ({ stage, done, total }: Progress): string =>
  total === 0 ? stage : `${stage} ${done}/${total}`
