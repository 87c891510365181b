import './look/layers.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { loadMessages } from './messages/messages.ts'

await loadMessages()
const root = document.querySelector('#app')
if (root !== null) createRoot(root).render(<App />)
