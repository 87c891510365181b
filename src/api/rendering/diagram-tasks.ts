// Draws one diagram in its own thread: it may take long on hostile input.
import { drawDiagram } from '../../engines/diagrams/diagram.ts'

/** For platform/pool/worker.ts. */
export const tasks = { draw: drawDiagram }
