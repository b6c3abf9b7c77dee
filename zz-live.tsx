import { createRoot } from 'react-dom/client'
import { useState } from 'react'
import { Dialog } from './app/_ui/dialog'
import { TimeField } from './app/_ui/time-field'
import { Select } from './app/_ui/input'
import { Field } from './app/_ui/field'
import { isoOf } from './app/_ui/time-in-zone'
function App() {
  const [open, setOpen] = useState(true)
  const [wall, setWall] = useState('')
  const [picked, setPicked] = useState('b')
  return <main><h1>Live</h1>{String(open)}<Dialog open={open} onOpenChange={setOpen} title="Add" description={<p>d</p>}>
    <form id="f" className="flex flex-col gap-4" noValidate onSubmit={(e) => { e.preventDefault(); document.title = e.currentTarget.checkValidity() ? 'sent ' + JSON.stringify([...new FormData(e.currentTarget)]) : 'refused' }}>
      <TimeField kind="date" name="endsOn" label="Last day" optional />
      <TimeField kind="moment" name="until" label="Until" value={wall} onChange={setWall} hint="h" />
      <p id="iso">{isoOf(wall, 'Europe/Berlin') ?? 'none'}</p>
      <Field name="role" label="Role">{({ defaultValue: _, ...c }) => <Select {...c} value={picked} onChange={(e) => setPicked(e.target.value)}><option value="a">Operator</option><option value="b">Viewer</option><option value="c">Guest</option></Select>}</Field>
      <button type="submit">Send</button>
    </form></Dialog></main>
}
createRoot(document.getElementById('root')!).render(<App />)
