// Two steps, and another one, as they are inserted. The heading of a step is its title.
export const step = '{% step %}\n### #{}\n\n#{}\n{% endstep %}'
export const stepper = `{% stepper %}\n${step}\n\n${step}\n{% endstepper %}`
