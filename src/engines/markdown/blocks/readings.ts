// A door of blocks/: what blocks say, for those who draw them elsewhere. It loads no renderer.
export {
  type CodeLine,
  type CodeLook,
  type CodePart,
  linesOfText,
  type ReadCode,
  readCode,
  readPre,
} from './code/reading.ts'
