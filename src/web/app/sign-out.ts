/** By the form that every page has: the server ends the session and leads to what anybody may read. */
export function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/sign-out'
  document.body.append(form)
  form.submit()
}
