using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/memorydomain</c>: memory by an offset in a domain.</summary>
internal static class MemoryDomainPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(
            HttpMethods.Get, "/memorydomain/base", "The domain's first address on the bus.",
            QueryParameters.Domain, List, Property(static domain => $"{domain.Base}"), "50331648");
        paths.Map(
            HttpMethods.Get, "/memorydomain/bound", "The address after the domain's last.",
            QueryParameters.Domain, List, Property(static domain => $"{domain.Bound}"), "50594303");
        paths.Map(
            HttpMethods.Get, "/memorydomain/size", "The domain's size in bytes.",
            QueryParameters.Domain, List, Property(static domain => $"{domain.Size}"), "262144");
        paths.Map(
            HttpMethods.Get, "/memorydomain/name", "What mGBA calls the domain.",
            QueryParameters.Domain, List, Property(static domain => domain.Name), "wram");
        foreach (var width in Enum.GetValues<CellWidth>())
        {
            paths.Map(
                HttpMethods.Get, $"/memorydomain/read{(int)width}", $"Reads {(int)width} bits, unsigned.",
                QueryParameters.Domain, QueryParameters.Offset, (domain, offset) => new ReadCell(new Location(domain, offset), width),
                static (http, _, reply) => PlainText.WriteAsync(http, ReadCell.Parse(reply)), "255");
        }

        paths.Map(
            HttpMethods.Post, "/memorydomain/write8", "Writes 8 bits.",
            QueryParameters.Domain, QueryParameters.Offset, QueryParameters.Value,
            static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Byte, (byte)value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/memorydomain/write16", "Writes 16 bits.",
            QueryParameters.Domain, QueryParameters.Offset, paths.Dialect.Value(),
            static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Half, (ushort)value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/memorydomain/write32", "Writes 32 bits.",
            QueryParameters.Domain, QueryParameters.Offset, paths.Dialect.Value(),
            static (domain, offset, value) => new WriteCell(new Location(domain, offset), CellWidth.Word, value), PlainText.Nothing);
        paths.Map(
            HttpMethods.Get, "/memorydomain/readrange", "Reads bytes as hex with commas between, or as they are for Accept: application/octet-stream.",
            QueryParameters.Domain, QueryParameters.Offset, QueryParameters.Length,
            static (domain, offset, length) => new ReadMemory(new Location(domain, offset), length), paths.Dialect.Bytes<(string, long, long)>(), "d3,00,00,ea,66,00,00,ea");
    }

    private static ListDomains List(string domain) => default;

    private static Render<string> Property(Func<MemoryDomain, string> of) => (http, id, reply) =>
    {
        var domain = ListDomains.Parse(reply).FirstOrDefault(domain => domain.Id == id);
        return domain == default
            ? MgbaHttpFailures.WriteScriptErrorAsync(http, $"\"{id}\" is not a memory domain of this game; /coreadapter/memory lists the domains.")
            : PlainText.WriteAsync(http, of(domain));
    };
}
