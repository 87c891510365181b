-- PostgreSQL reads all comments for `exists` where they are spread over few spaces, since it expects one of the space
-- soon. In the order of the index comments_anchored it uses that.

create or replace function has_commented_pages(space text, change_request text) returns boolean volatile language plpgsql as $$
begin
  if change_request is null then
    perform from comments
      where space_id = space and change_request_id is null and page_id is not null
      order by space_id, change_request_id, page_id limit 1;
  else
    perform from comments
      where space_id = space and change_request_id = change_request and page_id is not null
      order by space_id, change_request_id, page_id limit 1;
  end if;
  return found;
end
$$;
