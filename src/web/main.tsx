import './look/layers.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { readFirst } from './app/first.ts'
import { loadMessages } from './messages/messages.ts'

// No await at the top: what is read on the way imports this file, and would wait for it to end.
async function start(): Promise<void> {
  await Promise.all([loadMessages(), readFirst(location.pathname)])
  const root = document.querySelector('#app')
  if (root !== null) createRoot(root).render(<App />)
}

void start()
