// A form for each operation that readers may send. The browser sends it itself, without cookies, and shows the answer
// as text. What somebody types stays in this page: it is neither stored nor sent to the server of the page.

const SHOWN_CHARACTERS_MAX = 200_000
const READ_BYTES_MAX = 2_000_000
const SECONDS_MAX = 60

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes))
    if (value === true) made.setAttribute(key, '')
    else if (value !== false && value !== undefined) made.setAttribute(key, value)
  made.append(...children)
  return made
}

let count = 0

/** A label and its control; `read` returns the text that was typed. */
const field = (label, control, { isRequired = false, note } = {}) => {
  const id = `try:${++count}`
  control.id = id
  if (isRequired) control.required = true
  const words = element('label', { for: id }, label)
  const facts = [isRequired && 'required', note].filter(Boolean).join(', ')
  if (facts !== '') words.append(element('small', {}, ` ${facts}`))
  return { row: element('div', { class: 'try-field' }, words, control), read: () => control.value }
}

const input = (value = '', more = {}) =>
  element('input', { type: 'text', value, autocomplete: 'off', spellcheck: 'false', ...more })
const secret = () => input('', { type: 'password', autocomplete: 'new-password' })
const area = (value, rows) => {
  const made = element('textarea', { rows, spellcheck: 'false', autocomplete: 'off' })
  made.value = value
  return made
}
const choice = (values, chosen) => {
  const made = element('select', {}, ...values.map(value => element('option', { value }, value)))
  made.value = chosen
  return made
}

const group = (title, rows) =>
  rows.length === 0 ? [] : [element('fieldset', {}, element('legend', {}, title), ...rows)]

const inBase64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const serverField = servers =>
  servers.length === 1
    ? field('Server', input(servers[0], { readonly: true }))
    : field('Server', choice(servers, servers[0]))

/** A way to sign in; `add` puts it into a request if something was typed. */
const signInField = ({ kind, label, name }) => {
  if (kind === 'basic') {
    const [user, password] = [field(`${label}: name`, input()), field(`${label}: password`, secret())]
    return {
      rows: [user.row, password.row],
      add({ headers }) {
        if (user.read() !== '' || password.read() !== '')
          headers.set('Authorization', `Basic ${inBase64(`${user.read()}:${password.read()}`)}`)
      },
    }
  }
  const typed = field(label, secret())
  return {
    rows: [typed.row],
    add({ headers, query }) {
      const value = typed.read().trim()
      if (value === '') return
      if (kind === 'query') query.push([name, value])
      else if (kind === 'header') headers.set(name, value)
      else headers.set('Authorization', `Bearer ${value}`)
    },
  }
}

const parameterField = ({ name, where, isRequired, list, choices, value }) => {
  const values = choices && (isRequired ? choices : ['', ...choices])
  const control = list ? area(value, 2) : values ? choice(values, value) : input(value)
  const { row, read } = field(name, control, { isRequired, note: list && 'one in a line' })
  return {
    where,
    row,
    add(request) {
      const text = read()
      if (text === '' && where !== 'path') return
      const lines = list ? text.split('\n').filter(line => line !== '') : [text]
      if (where === 'path')
        request.path = request.path.replaceAll(`{${name}}`, () => lines.map(encodeURIComponent).join(','))
      else if (where === 'header') request.headers.set(name, lines.join(','))
      else if (list === 'repeated') for (const line of lines) request.query.push([name, line])
      else request.query.push([name, lines.join(',')])
    },
  }
}

const bodyField = ({ type, text, isRequired }) => {
  const isForm = /^multipart\//.test(type)
  const note = isForm ? `${type}, its fields as JSON; files cannot be sent from here` : type
  const { row, read } = field('Body', area(text, 8), { isRequired, note })
  return {
    row,
    add(request) {
      const value = read()
      if (value.trim() === '') return
      if (!isForm) {
        request.headers.set('Content-Type', type)
        request.body = value
        return
      }
      request.body = new FormData()
      for (const [name, one] of Object.entries(JSON.parse(value)))
        request.body.append(name, typeof one === 'string' ? one : JSON.stringify(one))
    },
  }
}

/** The part of the answer that is shown. */
const read = async response => {
  const reader = response.body?.getReader()
  const chunks = []
  let bytes = 0
  let isWhole = true
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    chunks.push(value)
    bytes += value.length
    if (bytes > READ_BYTES_MAX) {
      isWhole = false
      await reader.cancel()
      break
    }
  }
  return { blob: new Blob(chunks), bytes, isWhole }
}

const isText = type => type === '' || /^text\/|json|xml|javascript|urlencoded|yaml|graphql/i.test(type)

const asShown = (text, type) => {
  if (!/json/i.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const sizeOf = bytes => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} KB`)

const show = async (output, response, since) => {
  const { blob, bytes, isWhole } = await read(response)
  const type = response.headers.get('content-type') ?? ''
  const facts = `${response.status} ${response.statusText}`.trim()
  const milliseconds = Math.round(performance.now() - since)
  output.replaceChildren(
    element(
      'p',
      { class: response.ok ? 'try-facts is-good' : 'try-facts is-bad' },
      element('strong', {}, facts),
      ` ${milliseconds} ms, ${isWhole ? sizeOf(bytes) : `more than ${sizeOf(READ_BYTES_MAX)}`}`,
    ),
  )
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  if (headers !== '')
    output.append(element('details', {}, element('summary', {}, 'Headers'), shownText(headers, 'Response headers')))
  if (bytes === 0) return
  if (!isText(type)) {
    output.append(element('p', {}, `The response is not text: ${type}.`))
    return
  }
  const text = asShown(await blob.text(), type)
  output.append(shownText(text.slice(0, SHOWN_CHARACTERS_MAX), 'Response'))
  if (!isWhole || text.length > SHOWN_CHARACTERS_MAX) output.append(element('p', {}, 'Only the beginning is shown.'))
}

const shownText = (text, label) =>
  element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, element('code', { dir: 'ltr' }, text))

const why = (error, url, isOver) => {
  if (isOver) return `No response within ${SECONDS_MAX} seconds.`
  if (error.name === 'AbortError') return 'Stopped.'
  if (error instanceof SyntaxError) return `The body is no JSON: ${error.message}`
  if (url === undefined) return `A browser cannot send this: ${error.message}`
  if (location.protocol === 'https:' && url?.protocol === 'http:')
    return 'A browser sends nothing to a server without https from a page with https.'
  return 'The server did not respond, or its CORS headers do not allow this page to read the response.'
}

const open = place => {
  const { method, path, servers, signIns, parameters, body } = JSON.parse(place.dataset.try)
  const server = serverField(servers)
  const access = signIns.map(signInField)
  const given = parameters.map(parameterField)
  const sent = body && bodyField(body)
  const rowsOf = where => given.filter(one => one.where === where).map(({ row }) => row)
  const send = element('button', { class: 'button button-primary', type: 'submit' }, 'Send')
  const stop = element('button', { class: 'button', type: 'button', hidden: true }, 'Stop')
  const output = element('div', { class: 'try-answer', role: 'status', 'aria-label': 'Response' })
  const form = element(
    'form',
    { class: 'try-form' },
    server.row,
    ...group('Access', access.flatMap(({ rows }) => rows)),
    ...group('Path', rowsOf('path')),
    ...group('Query', rowsOf('query')),
    ...group('Headers', rowsOf('header')),
    ...(sent ? [sent.row] : []),
    element('p', { class: 'try-note' }, 'Your browser sends this directly to the server. What you type stays on this page.'),
    element('p', { class: 'try-actions' }, send, stop),
  )
  let running
  stop.addEventListener('click', () => running?.abort())
  form.addEventListener('submit', async event => {
    event.preventDefault()
    if (running) return
    running = new AbortController()
    let isOver = false
    let url
    const timer = setTimeout(() => {
      isOver = true
      running.abort()
    }, SECONDS_MAX * 1000)
    send.setAttribute('aria-disabled', 'true')
    stop.hidden = false
    output.replaceChildren(element('p', {}, 'Waiting for the response …'))
    try {
      const request = { path, query: [], headers: new Headers(), body: undefined }
      for (const part of [...given, ...access, ...(sent ? [sent] : [])]) part.add(request)
      url = new URL(server.read() + request.path)
      for (const [name, value] of request.query) url.searchParams.append(name, value)
      const since = performance.now()
      const { headers } = request
      const response = await fetch(url, {
        ...{ method, headers, body: request.body, signal: running.signal },
        ...{ mode: 'cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' },
      })
      await show(output, response, since)
    } catch (error) {
      output.replaceChildren(element('p', { class: 'try-facts is-bad' }, why(error, url, isOver)))
    } finally {
      clearTimeout(timer)
      // The key that was pressed last keeps its place.
      if (document.activeElement === stop) send.focus()
      send.removeAttribute('aria-disabled')
      stop.hidden = true
      running = undefined
    }
  })
  place.append(form, output)
}

for (const place of document.querySelectorAll('details.api-try[data-try]')) {
  place.hidden = false
  place.addEventListener('toggle', () => open(place), { once: true })
}
