// Asks the browser for a passkey and sends what it signs with the form. The library comes before.

const passkeys = globalThis.SimpleWebAuthnBrowser

for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.hidden = !passkeys.browserSupportsWebAuthn()
  form.addEventListener('submit', event => {
    event.preventDefault()
    send(form)
  })
}

async function send(form) {
  const problem = form.querySelector('[data-passkey-problem]')
  const button = form.querySelector('button[type="submit"]')
  problem.hidden = true
  button.disabled = true
  try {
    form.elements.namedItem('answer').value = JSON.stringify(await ask(form.dataset))
    form.submit()
  } catch {
    problem.hidden = false
  } finally {
    button.disabled = false
  }
}

// Only what is checked: a form has few bytes.
async function ask({ passkey, options }) {
  const optionsJSON = JSON.parse(options)
  if (passkey === 'create') {
    const { id, response } = await passkeys.startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports } = response
    return { id, clientDataJSON, attestationObject, transports }
  }
  const { id, response } = await passkeys.startAuthentication({ optionsJSON })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, clientDataJSON, authenticatorData, signature, userHandle }
}
