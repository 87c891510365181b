-- An identity provider's answer comes by way of another site, where a browser sends no cookie along. It is checked
-- there, kept here, and only counts once the browser that asked has come back for it.
alter table sso_requests
  -- who the identity provider says it is; null: it was not asked yet, or did not answer
  add column answer jsonb;
