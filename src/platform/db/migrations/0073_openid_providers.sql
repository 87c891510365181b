-- What an admin is told of the operator's OpenID Connect provider, which is set up by settings and not here. Another
-- issuer is another provider.
-- owner: sso
create table openid_providers (
  issuer text primary key,
  last_signed_in_at timestamptz,
  last_failed_at timestamptz,
  last_failure_code text,
  last_failure_reason text
);
