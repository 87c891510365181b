// Other endings, spellings or lengths of an English word that its stem does not cover. The wordings on a line mean the
// same.
export const ENGLISH_FORMS = `
  subscribe, subscription
  describe, description
  convert, conversion
  submit, submission
  permit, permission
  exclude, exclusion
  include, inclusion
  decide, decision
  divide, division
  extend, extension
  suspend, suspension
  respond, response
  defend, defense
  approve, approval
  propose, proposal
  renew, renewal
  arrive, arrival
  fail, failure
  close, closure
  sign, signature
  store, storage
  use, usage
  cover, coverage
  maintain, maintenance
  retain, retention
  explain, explanation
  sell, sale, selling
  choose, choice
  lose, loss
  prove, proof
  advise, advice
  analyze, analyse, analysis, analytics
  long, length
  wide, width
  high, height
  deep, depth
  strong, strength
  grow, growth
  notify, notification
  verify, verification
  classify, classification, classifier
  identify, identification, identifier
  specify, specification
  modify, modification
  simplify, simplification
  unify, unification
  certify, certification, certificate
  clarify, clarification
  justify, justification
  apply, application
  administer, administrator, administration, admin
  authenticate, authentication, auth
  authorize, authorization, authorisation, auth
  receive, receipt, reception
  perceive, perception
  produce, production, product
  reduce, reduction
  introduce, introduction
  deduct, deduction
  repeat, repetition
  compare, comparison
  acquire, acquisition
  require, requirement
  compete, competition
  define, definition
  destroy, destruction
  detain, detention
  abstain, abstention
  obtain, obtaining
  pay, payment
  bill, billing
  price, pricing
  see, view
  person, people
  child, children
  index, indices, indexes
  datum, data
  criterion, criteria
  medium, media
  vertex, vertices
  mouse, mice
  color, colour
  behavior, behaviour
  favorite, favourite
  honor, honour
  labor, labour
  neighbor, neighbour
  center, centre
  meter, metre
  theater, theatre
  catalog, catalogue
  dialog, dialogue
  analog, analogue
  license, licence
  defense, defence
  offense, offence
  gray, grey
  program, programme
  organize, organise
  organization, organisation
  customize, customise
  customization, customisation
  personalize, personalise
  personalization, personalisation
  localize, localise
  localization, localisation
  optimize, optimise
  optimization, optimisation
  synchronize, synchronise, sync
  initialize, initialise
  visualize, visualise
  authorize, authorise
  categorize, categorise
  minimize, minimise
  maximize, maximise
  recognize, recognise
  standardize, standardise
  summarize, summarise, summary
  utilize, utilise
  artifact, artefact
  check, cheque
  enroll, enrol
  fulfill, fulfil
  judgment, judgement
  tire, tyre
  email, e-mail, mail
  website, web site
  username, user name
  filename, file name
  checkbox, check box
  dropdown, drop-down, drop down
  popup, pop-up, pop up
  login, log in, log-in
  signup, sign up, sign-up
  setup, set up, set-up
  backup, back up, back-up
  rollback, roll back
  plugin, plug-in
  addon, add-on
  database, data base, DB
  repository, repo
  configuration, config
  administrator, admin
  application, app
  information, info
  specification, spec
  parameter, param
  argument, arg
  directory, dir
  environment, env
  development, dev
  production, prod
  documentation, docs
  image, img
  maximum, max
  minimum, min
  identifier, ID
  synchronization, sync
  authentication, auth
  reference, ref
  source, src
  temporary, temp
  variable, var
  version, ver
  number, num
  message, msg
  package, pkg
  password, passwd, pwd
  Kubernetes, k8s
  internationalization, i18n
  localization, l10n
  accessibility, a11y
  PostgreSQL, Postgres
  JavaScript, JS
  TypeScript, TS
`
