-- Owners from before their terms were kept have been owners since they got the role: else each would count as alone.
INSERT INTO owner_terms (user_id, since)
  SELECT u.id, r.created_at FROM users u JOIN user_roles r ON r.user_id = u.id AND r.role = 'owner'
  WHERE u.is_admin AND NOT u.is_blocked AND u.closed_at IS NULL
    AND NOT EXISTS (SELECT FROM owner_terms t WHERE t.user_id = u.id AND t.until IS NULL);
