"""What may be concluded from labels given blind: anchoring, handing over, certificates, audits."""
