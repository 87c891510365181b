-- What an admin is told of an identity provider: when somebody last signed in, and why somebody last did not.
alter table saml_providers
  add last_signed_in_at timestamptz,
  add last_failed_at timestamptz,
  add last_failure_code text,
  add last_failure_reason text;
