// What this device keeps for the next time. Its storage may be full, and then what was chosen counts in this tab alone.

/** Whether it is kept; with null nothing is. */
export function keep(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}
