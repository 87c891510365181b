// English synonyms. The wordings on a line mean the same.
export const ENGLISH = `
  picture, image, photo, screenshot, illustration, graphic
  picture, thumbnail, preview image
  thumbnail, preview
  icon, symbol, pictogram, glyph
  film, movie, video, clip
  sound, audio, voice, speech
  slideshow, carousel, slider, gallery
  color, colour
  look, appearance, style, theme, design, layout
  branding, brand, corporate design, theme
  font, typeface, typography
  dark mode, dark theme, night mode
  wording, text, label, copy
  wording, translation, language
  translation, localization, internationalization, multi-language, multilingual
  language, locale
  mail, email, e-mail, newsletter, message, mailing
  recipient, subscriber, contact, addressee
  first name, personalization, merge tag, placeholder
  placeholder, variable, token, merge tag
  remark, comment, note, annotation, feedback
  reply, answer, respond, response
  discussion, thread, conversation, comment
  chat, conversation, messaging
  delete, remove, erase, discard, drop
  delete, purge, wipe, clear
  uninstall, remove
  cancel, abort, terminate, unsubscribe
  cancel, close account, delete account
  archive, retire, deprecate
  create, add, make, new, generate
  insert, add, embed, put in
  embed, include, integrate
  change, edit, modify, update, alter, adjust
  rename, change name
  customize, customise, personalize, adapt, configure, tailor
  configure, set up, setup, settings, configuration
  setting, option, preference, configuration, parameter
  parameter, argument, option, attribute
  property, attribute, field
  option, choice, alternative
  switch on, turn on, enable, activate
  switch off, turn off, disable, deactivate
  hide, invisible, conceal
  show, display, render, view
  only show, display condition, conditional, visibility
  condition, rule, criteria
  block, prevent, stop, forbid, disallow, restrict, prohibit
  restrict, limit, constrain
  limit, quota, maximum, cap, threshold, allowance
  rate limit, throttle, throttling, too many requests
  allow, permit, grant, authorize
  permission, right, privilege, access, role
  role, permission, access level
  lock, read-only, protect
  undo, revert, roll back, history, previous version
  go back, undo, revert, restore
  restore, recover, get back
  version, revision, history
  history, changelog, change log, log
  release notes, changelog, change log, what's new
  release, version, update
  upcoming version, release candidate, beta, preview, early access
  test, try, try out, trial, evaluate
  sandbox, development environment, test environment, staging
  staging, pre-production, release candidate
  free, trial, free of charge, no cost
  price, pricing, cost, charge, fee, billing
  pay, payment, billing, charge, purchase, cost
  expensive, paid, premium
  invoice, bill, receipt, billing
  plan, subscription, tier, edition
  upgrade, change plan, subscription
  buy, purchase, order, subscribe
  sell, resell, upsell, monetize
  shop, store, marketplace
  plugin, plug-in, extension, add-on, addon, module, integration
  integration, connector, connection
  connect, link, integrate
  log in, login, sign in, sign-in, authenticate, logon
  log out, logout, sign out, sign-out
  sign up, register, registration, create an account, enroll
  account, profile, user
  username, user name, login
  single sign-on, SSO, SAML
  two-factor, 2FA, MFA, multi-factor, second factor, two-step
  password, passphrase, credentials
  credentials, API key, access key, secret, token
  API key, access token, secret key
  security, safety, protection
  secure, safe, protected
  privacy, data protection, GDPR, confidentiality, data security
  encrypt, encryption, cipher
  certificate, TLS, SSL, https
  invite, invitation, add a user
  colleague, coworker, teammate, team member, co-worker, people
  user, member, person, people
  team, group, organization, workspace
  company, organization, enterprise, business
  customer, client, account
  admin, administrator, owner
  at the same time, simultaneously, concurrently, in parallel, collaborative, real-time, together
  work together, collaborate, collaboration, co-editing
  collaborative, shared, co-editing
  share, publish, distribute
  publish, go live, release, deploy
  deploy, deployment, roll out, install
  install, installation, set up, setup
  self-hosted, on-premises, on-premise, own server
  host, hosting, hosted
  server, backend, back-end, host
  frontend, front-end, client, user interface
  user interface, UI, interface, GUI
  screen, display, monitor
  panel, sidebar, pane, side panel
  window, dialog, modal, popup, pop-up
  popup, pop-up, overlay, modal
  menu, navigation, toolbar
  button, CTA, call to action
  tab, pane
  mouse over, mouseover, hover, under the mouse
  keyboard shortcut, shortcut, hotkey, key combination
  drag, drag and drop, move
  move, relocate, transfer, migrate
  migrate, migration, move, transfer, switch from
  order, sort, arrange, sequence, reorder
  rearrange, reorder, sort
  group, cluster, category
  category, type, kind, class
  tag, label, keyword
  list, overview, index, catalog, directory
  catalog, directory, gallery, library
  library, package, SDK, module
  overview, summary, introduction
  getting started, quickstart, quick start, first steps, tutorial, beginner
  tutorial, guide, walkthrough, how-to, lesson
  example, sample, demo, snippet
  template, boilerplate, blueprint, preset
  draft, unpublished, work in progress
  mobile, phone, smartphone, handset, small screen
  tablet, iPad
  desktop, computer, PC
  responsive, mobile
  spacing, space, padding, margin, gap, room
  space between lines, line height, line spacing, leading
  room between the lines, line height, line spacing
  rounded, round, rounded corner, border radius, radius
  edge, corner, border
  width, size, dimension
  size, dimension, resolution
  wide, width
  high, height
  position, placement, location, alignment
  heading, headline, title, header
  footer, bottom
  header, top bar, head
  paragraph, text block
  link, URL, hyperlink, address
  web address, URL, domain
  domain, hostname
  website, web page, site, web site
  landing page, page, site
  form, input, survey, questionnaire
  field, input, form field
  checkbox, tick box
  drop-down, dropdown, select, picker
  table, grid, spreadsheet
  row, line
  section, part, block, component
  block, component, element, module, widget
  reuse, reusable, saved, shared
  synchronize, sync, synced, keep in sync, in step
  change everywhere, synced, sync
  once, everywhere, globally, sync
  copy, duplicate, clone
  duplicate, copy
  save, store, persist
  save, autosave, auto-save
  store, storage, host
  storage, disk space, bucket
  upload, import, attach
  download, export, save as
  export, output, extract
  import, ingest, bring in, load
  convert, transform, turn into, conversion
  load, open, start, launch
  reload, refresh, restart, load again
  start, launch, run, begin
  begin, start
  run, execute, launch
  stop, halt, end, quit, kill
  pause, suspend
  take down, maintenance, downtime, outage, unavailable
  downtime, outage, maintenance, unavailable, offline
  update, upgrade, patch
  problem, issue, error, failure, trouble, bug
  error, exception, failure, fault
  fail, break, crash
  wrong, incorrect, invalid
  broken, not working, error
  fix, repair, resolve, solve, troubleshoot
  troubleshooting, debugging, diagnose
  debug, troubleshoot, inspect
  warning, alert, notification
  notify, notification, alert, inform
  webhook, callback, event
  callback, event, hook, listener
  know when, event, callback, track
  trigger, fire, event
  track, monitor, trace, record
  monitoring, observability, metrics
  statistics, analytics, metrics, report, insights
  log, logging, journal
  audit, audit log, activity log
  usage, consumption
  used up, exhausted, limit reached, quota
  traffic, bandwidth
  slow, performance, latency
  fast, speed, performance, quick
  speed up, optimize, performance
  timeout, time out, deadline
  expire, expiration, validity, lifetime
  retention, how long kept, keep
  backup, back up, snapshot, copy
  database, DB, data store
  query, search, lookup
  search, find, look for, lookup
  filter, narrow, refine
  choose, select, pick
  picker, selector, chooser
  default, preset, standard, initial
  preselected, default
  own, custom
  custom, own, bespoke, user-defined
  built-in, native, predefined, standard
  automatic, automatically, auto
  bulk, batch, mass, many at once
  schedule, scheduled, plan, cron
  every day, daily
  check, validate, verify, validation, test
  accessibility, a11y, screen reader, disabled, blind
  describe image, alt text, alternative text
  alt text, alternative text, alternate text, image description
  AI, artificial intelligence, machine learning, LLM
  prompt, instruction
  AI, generated, assistant
  write text, writing assistant, generate text
  tone, voice, style
  credit, token, quota
  send along, pass, attach, header
  header, HTTP header
  pass, send, provide, supply
  receive, get, obtain
  get, retrieve, fetch, obtain
  request, call
  endpoint, route, API
  API, interface, endpoint
  REST, HTTP API, API
  response, reply, result
  code, script, source
  script, JavaScript, code
  command, CLI, command line, terminal
  command line, terminal, shell, console
  environment variable, env var, configuration
  file, document, attachment
  folder, directory, path
  file type, format, extension, mime type
  format, type
  schema, structure, data model
  structure, layout, schema
  JSON, data structure
  requirement, prerequisite, needed
  supported, compatible, compatibility
  browser, Chrome, Safari, Firefox
  email client, Outlook, Gmail
  region, data center, location
  country, region
  date, time, calendar
  countdown, timer
  help, support, assistance
  contact, support, get in touch
  question, FAQ, help
  contribute, contribution, participate
  license, licence, licensing, terms
  terms, agreement, policy
  commercial, business
  explain, describe, description
  difference, compare, comparison, versus
  replace, substitute, swap, instead of
  merge, combine, join, unify
  split, divide, separate, cut
  chunk, segment, split
  nested, inside, within
  compress, minify, shrink
  crop, cut, resize
  enlarge, zoom, expand
  collapse, fold, shrink
  loop, iterate, repeat, for each
  repeat, recurring, again
  unique, distinct
  identifier, ID, key
  number, count, amount
  empty, blank, missing
  optional, not required
  required, mandatory, necessary
  shared, common, global
  private, internal, restricted
  public, open, published
  visitor, guest, anonymous
  reader, visitor, end user
  end user, user, customer
  developer, engineer, programmer
`
