using Microsoft.AspNetCore.Http.Features;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>HEAD is served wherever GET is: as GET, of whose response the server leaves out the body, since it knows what was sent.</summary>
internal static class HeadRequests
{
    private static readonly object Mark = new();

    /// <summary>Ends a response without an end at its first bytes, if the caller asks for the headers alone.</summary>
    public static void EndAtHeaders(HttpContext http, CancellationTokenSource over)
    {
        if (http.Items.ContainsKey(Mark))
        {
            http.Features.Set<IHttpResponseBodyFeature>(new StreamResponseBodyFeature(new HeadersOnly(over)));
        }
    }

    /// <summary>Passes HEAD on as GET.</summary>
    public static Task InvokeAsync(HttpContext http, RequestDelegate next)
    {
        if (HttpMethods.IsHead(http.Request.Method) && http.Features.Get<IHttpUpgradeFeature>() is not { IsUpgradableRequest: true })
        {
            http.Items[Mark] = Mark;
            http.Request.Method = HttpMethods.Get;
        }

        return next(http);
    }

    /// <summary>Where the first bytes of the body are the end.</summary>
    private sealed class HeadersOnly(CancellationTokenSource over) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => over.Cancel();

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => over.CancelAsync();

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => new(over.CancelAsync());
    }
}
