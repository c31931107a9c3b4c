using Microsoft.Extensions.Primitives;

namespace MgbaBridge.Gateway.Endpoints.Conventions;

/// <summary>An answer that is given again.</summary>
/// <param name="Status">Its status.</param>
/// <param name="Headers">Its headers.</param>
/// <param name="Body">Its body.</param>
internal sealed record KeptAnswer(int Status, IReadOnlyList<KeyValuePair<string, StringValues>> Headers, byte[] Body);
