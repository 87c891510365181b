// The code that runs inside the sandbox around an expression. It takes what it needs before the expression can change
// it, and returns one string, because only a string can be read without running code of the expression.

export const RESULT_CHARACTERS_MAX = 64 * 1024

/** The first character of the answer. */
export const VALUE = '='
export const THROWN = '!'
export const NO_RESULT = '?'

/** A function of the values (a JSON object) and the code, which is known to be one expression. */
export const GUEST = `(() => {
  const { parse, stringify } = JSON
  const { defineProperty, entries, freeze } = Object
  const evaluate = eval
  const Task = Promise
  delete Math['random']

  const describe = thrown => {
    try {
      return typeof thrown === 'object' && 'message' in thrown ? thrown.name + ': ' + thrown.message : '' + thrown
    } catch {
      return 'it threw something that has no words'
    }
  }

  const toJson = result => {
    if (typeof result === 'function' || typeof result === 'symbol') throw 'it is a ' + typeof result
    if (result instanceof Task) throw 'it is a promise, and nothing is waited for'
    const json = stringify(result) ?? 'null'
    if (json.length > ${RESULT_CHARACTERS_MAX}) throw 'as JSON it has more than ${RESULT_CHARACTERS_MAX} characters'
    return json
  }

  return (values, code) => {
    for (const [name, value] of entries(parse(values, (_, member) => freeze(member))))
      defineProperty(globalThis, name, { value, enumerable: true })
    let result
    try {
      result = evaluate(code)
    } catch (error) {
      return '${THROWN}' + describe(error)
    }
    try {
      return '${VALUE}' + toJson(result)
    } catch (error) {
      return '${NO_RESULT}' + describe(error)
    }
  }
})()`
