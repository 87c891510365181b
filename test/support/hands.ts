// How somebody operates what a page shows: with a pointer, or with the keyboard alone.
import type { Locator } from 'playwright-core'

export type Hands = {
  press(control: Locator): Promise<void>
  /** Into a field, at its end. */
  write(field: Locator, text: string): Promise<void>
  /** From a list that a field is above. */
  choose(field: Locator, option: Locator): Promise<void>
}

export const pointer: Hands = {
  press: control => control.click(),
  write: (field, text) => field.pressSequentially(text),
  choose: (_, option) => option.click(),
}

export const keyboard: Hands = {
  async press(control) {
    await reach(control)
    await control.page().keyboard.press('Enter')
  },
  async write(field, text) {
    await reach(field)
    await field.page().keyboard.press('End')
    await field.page().keyboard.type(text)
  },
  async choose(field, option) {
    await reach(field)
    await option.waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
  },
}

// More stops than any screen of a story has.
const STOPS_MAX = 200

/** By Tab, as everything has to be reachable; a row of a list stands for the link in it. */
async function reach(control: Locator): Promise<void> {
  await control.waitFor()
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    // Not to be found as long as a list is open over it.
    if (await control.evaluateAll(areReached)) return
    await control.page().keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${control}`)
}

const areReached = (found: readonly Element[]): boolean =>
  found.some(one => document.activeElement === one || one.closest('[role="row"]') === document.activeElement)
