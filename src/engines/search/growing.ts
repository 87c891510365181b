// Typed arrays that grow: numbers without an object for each.

export class GrowingUint32 {
  #array = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#array.length) {
      const larger = new Uint32Array(this.#array.length * 2)
      larger.set(this.#array)
      this.#array = larger
    }
    this.#array[this.length++] = value
  }

  /** What was pushed, as a view that the next push may invalidate. */
  get array(): Uint32Array {
    return this.#array.subarray(0, this.length)
  }
}

export class GrowingUint8 {
  #array = new Uint8Array(4096)
  length = 0

  #reserve(count: number): void {
    if (this.length + count <= this.#array.length) return
    const larger = new Uint8Array(Math.max(this.#array.length * 2, this.length + count))
    larger.set(this.#array)
    this.#array = larger
  }

  pushByte(value: number): void {
    this.#reserve(1)
    this.#array[this.length++] = value
  }

  /** Seven bits per byte, the lowest first; the eighth says that more follow. */
  pushNumber(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 0x7f) {
      this.#array[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#array[this.length++] = rest
  }

  pushBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#array.set(bytes, this.length)
    this.length += bytes.length
  }

  get array(): Uint8Array {
    return this.#array.subarray(0, this.length)
  }
}
