import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceSettings } from './trace-settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

test('without an endpoint there are no traces, and no words about it', () => {
  assert.deepEqual(readTraceSettings({}), { warnings: [] })
  assert.deepEqual(readTraceSettings({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }), { warnings: [] })
  assert.deepEqual(readTraceSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }), { warnings: [] })
})

test('an endpoint, or the exporter alone, is enough', () => {
  for (const env of [
    ENDPOINT,
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/v1/traces' },
  ]) {
    const { settings, warnings } = readTraceSettings(env)
    assert.equal(settings?.sampler, 'parentbased_always_on')
    assert.deepEqual(warnings, [])
  }
})

test('what is set is taken', () => {
  const { settings } = readTraceSettings({
    ...ENDPOINT,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_SCHEDULE_DELAY: '10',
  })
  assert.equal(settings?.sampler, 'parentbased_traceidratio')
  assert.equal(settings?.ratio, 0.25)
  assert.deepEqual([settings?.queueMax, settings?.batchMax, settings?.delayMs], [100, 100, 10])
})

test('what cannot be followed is named, and traces are off or have the default', () => {
  for (const env of [
    { OTEL_TRACES_EXPORTER: 'zipkin' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    { OTEL_EXPORTER_OTLP_HEADERS_FILE: '/nowhere/headers' },
  ]) {
    const { settings, warnings } = readTraceSettings({ ...ENDPOINT, ...env })
    assert.equal(settings, undefined)
    assert.match(warnings.join(), new RegExp(Object.keys(env)[0] ?? ''))
  }
  const { settings, warnings } = readTraceSettings({ ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '7' })
  assert.equal(settings?.ratio, 1)
  assert.match(warnings.join(), /OTEL_TRACES_SAMPLER_ARG/)
})
